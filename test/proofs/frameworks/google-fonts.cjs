// Answers for next/font: the template of create-next-app loads two fonts during the build, and a
// test must not depend on another host. Next.js reads this file when
// NEXT_FONT_GOOGLE_MOCKED_RESPONSES names it.
const face = (family) =>
  `@font-face { font-family: '${family}'; font-weight: 100 900; src: local('Arial'); }`;
const address = (family) =>
  `https://fonts.googleapis.com/css2?family=${family.replace(' ', '+')}:wght@100..900&display=swap`;

module.exports = Object.fromEntries(
  ['Geist', 'Geist Mono'].map((family) => [address(family), face(family)]),
);
