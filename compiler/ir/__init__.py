"""The intermediate representation: types, ops, graphs, their text, meaning and verification."""
