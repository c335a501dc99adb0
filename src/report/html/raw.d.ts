/** A file as text: the bundle and the test runner both put it in. */
declare module '*?raw' {
  const text: string;
  export default text;
}
