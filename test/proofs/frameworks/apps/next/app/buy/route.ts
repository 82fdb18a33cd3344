/** An order has an address of its own: a reload must not begin a second one. */
export async function POST() {
  const { sell } = await import('../shop');
  return new Response(null, { status: 303, headers: { location: `/checkout/${await sell()}` } });
}
