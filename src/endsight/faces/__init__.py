"""What people and programs meet: documents, words, the command line, the page and charts."""
