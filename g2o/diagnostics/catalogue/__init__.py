"""The long texts behind the diagnostic codes, one file for each range of codes."""
