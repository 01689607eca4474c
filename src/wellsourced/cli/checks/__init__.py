"""What the doctor looks at, one part of the house a file."""
