/** @returns an error that names the port when another process listens on it */
export const listenError = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' ? new Error(`port ${port} is taken`) : error;
