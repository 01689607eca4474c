"""Where research sessions rest."""
