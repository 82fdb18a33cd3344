/** Files of Prisma that `prisma generate` imports from JavaScript; they have no types. */
declare module '@prisma/client/runtime/query_compiler_small_bg.*' {
  import type { GetPrismaClientConfig } from '@prisma/client/runtime/client';
  type Loading = NonNullable<GetPrismaClientConfig['compilerWasm']>;
  type Compiler = Awaited<ReturnType<Loading['getRuntime']>>;
  export const QueryCompiler: Compiler['QueryCompiler'];
  export const __wbg_set_wasm: Compiler['__wbg_set_wasm'];
  export const wasm: string;
}
