// the import waits for the first event, so that a build opens no database
export const POST = async (request: Request) => (await import('../../shop')).receive(request);
