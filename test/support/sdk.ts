import type { Vercel } from '@vercel/sdk';
import { VercelCore } from '@vercel/sdk/core.js';
import { unwrapAsync } from '@vercel/sdk/types/fp.js';

type Call = (client: VercelCore, request: unknown) => Parameters<typeof unwrapAsync>[0];

/**
 * The public SDK as its users call it, `sdk.projects.getProject({ ... })`, of which only the functions that a test calls are
 * loaded: the whole of it takes four seconds and 400 MB.
 */
export function sdkOf(serverURL: string): Vercel {
  const client = new VercelCore({ bearerToken: 'test', serverURL });
  const call = (name: string) => async (request: unknown) => {
    const functions = (await import(`@vercel/sdk/funcs/${name}.js`)) as Record<string, Call>;
    return unwrapAsync(functions[name]!(client, request));
  };
  const group = (name: string) =>
    new Proxy(call(name), {
      get: (_, method: string) => call(`${name}${method[0]!.toUpperCase()}${method.slice(1)}`),
    });
  return new Proxy({}, { get: (_, name: string) => group(name) }) as Vercel;
}
