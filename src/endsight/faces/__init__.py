"""What people and programs see: documents, wording, the command line, web pages and charts."""
