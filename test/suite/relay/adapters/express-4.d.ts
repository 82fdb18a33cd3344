/** The tests use the part of Express 4 that has the same types in Express 5. */
declare module 'express-4' {
  import express from 'express';
  export default express;
}
