"""Values: the objects of users (Tensor, Parameter, Cell), and the path from their operations to the compiler's ops."""
