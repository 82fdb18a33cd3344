export default function Page() {
  return (
    <form action="/buy" method="post">
      <button>Buy a T-shirt</button>
    </form>
  );
}
