import { request } from 'undici';
import type { Twin } from '../../providers/hosting/twin/index.ts';

/** An answer as a test looks at it. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

/** Sends one request to a twin as the team `acme`, unless the path says another scope. */
export async function send(
  twin: Twin,
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const url = new URL(path, twin.url);
  if (!/[?&](teamId|slug|personal)/.test(path)) url.searchParams.set('slug', 'acme');
  const answer = await request(url, {
    method,
    headers: { authorization: 'Bearer test', 'content-type': 'application/json', ...headers },
    body: body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    body: text === '' ? undefined : JSON.parse(text),
    headers: answer.headers,
  };
}

/** The status and error code of a refused request. */
export function refusal(reply: Reply): [number, string | undefined] {
  return [reply.status, reply.body?.error?.code];
}

/** The domains of a project without the one under vercel.app that the platform gives to it. */
export const ownDomains = <T extends { name: string }>({ domains }: { domains: T[] }): T[] =>
  domains.filter(({ name }) => !name.endsWith('.vercel.app'));
