"""What ``trevni.spark`` is made of."""
