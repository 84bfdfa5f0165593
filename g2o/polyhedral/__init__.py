"""Integer sets and relations over named dimensions. The only importer of islpy."""
