"""Graph -> Table: one algorithm per file, one public function each, arrays in and a `Table` out."""
