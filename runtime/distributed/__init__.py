"""Message passing between the processes of one job, on MPI through mpi4py."""
