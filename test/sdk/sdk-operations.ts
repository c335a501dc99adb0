import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { VercelCore } from '@vercel/sdk/core.js';
import { HTTPClient } from '@vercel/sdk/lib/http.js';
import type * as z from 'zod/v3';

const folder = path.resolve(import.meta.dirname, '../../node_modules/@vercel/sdk/esm/funcs');

interface Found {
  name: string;
  /** Of its request: the name of the schema, and the module that has it. */
  schema: [name: string, module: string] | undefined;
  /** The member of the request that is the body. */
  member: string;
  /** Where it goes, as `PATCH /v9/projects/{idOrName}`. */
  place: string;
  hasBody: boolean;
  /** It sends the token: without one the platform refuses it. */
  hasToken: boolean;
}

/** The SDK's function for each operation. */
const functions = new Map<string, Found>(
  readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file): [string, Found][] => {
      const source = readFileSync(path.join(folder, file), 'utf8');
      const id = /operationID: "([^"]+)"/.exec(source)?.[1];
      const [, name, module] =
        /import \{ ?(\w+Request\$outboundSchema).*from "\.\.\/(models\/[^"]+)"/.exec(source) ?? [];
      if (id === undefined) return [];
      const schema: Found['schema'] = name && module ? [name, module] : undefined;
      const [, first = 'r', rest = 'equestBody'] =
        /encodeJSON\("body", payload\.(\w)(\w+)/.exec(source) ?? [];
      const method = /method: "(\w+)"/.exec(source)?.[1];
      const place = `${method} ${/pathToFunc\("([^"]+)"\)/.exec(source)?.[1]}`;
      return [
        [
          id,
          {
            name: file.slice(0, -3),
            schema,
            member: first.toLowerCase() + rest,
            place,
            hasBody: !source.includes('const body = null;'),
            hasToken: source.includes('resolveGlobalSecurity'),
          },
        ],
      ];
    }),
);

/** What the SDK can write at such a place: the operations that go there with a body and a token. */
export const writesAt = (place: RegExp): string[] =>
  [...functions].filter(([, one]) => one.hasBody && one.hasToken && place.test(one.place)).map(([id]) => id);

/** The schema of an operation's body, as a caller of the SDK gives it. */
export async function bodySchema(operation: string): Promise<z.ZodTypeAny> {
  const { member, schema: found } = functions.get(operation)!;
  const [name, module] = found!;
  const schemas = (await import(`@vercel/sdk/${module}`)) as Record<string, z.ZodTypeAny>;
  // biome-ignore lint/suspicious/noExplicitAny: the definitions of zod 3 differ by type name
  let schema: any = schemas[name];
  while (schema._def.typeName === 'ZodEffects') schema = schema._def.schema;
  const body = schema.shape[member];
  return body._def.typeName === 'ZodOptional' ? body._def.innerType : body;
}

export interface Answer {
  /** What the platform answered; 0: the SDK did not even send it. */
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any;
  /** The answer was a success, but not one that the SDK understands. */
  isStrange: boolean;
}

type Call = (client: VercelCore, request: unknown) => Promise<{ error?: Error }>;

/** Calls an operation as a program with the SDK does. */
export async function call(
  serverURL: string,
  operation: string,
  parameters: Record<string, unknown>,
  requestBody: unknown,
): Promise<Answer> {
  const { name, member } = functions.get(operation)!;
  const module = (await import(`@vercel/sdk/funcs/${name}.js`)) as Record<string, Call>;
  let answer: Response | undefined;
  const httpClient = new HTTPClient({
    fetcher: async (input, init) => {
      const response = init === undefined ? await fetch(input) : await fetch(input, init);
      answer = response.clone();
      return response;
    },
  });
  const client = new VercelCore({ bearerToken: 'test-token', serverURL, httpClient });
  const { error } = await module[name]!(client, { ...parameters, [member]: requestBody });
  if (!answer) return { status: 0, body: error, isStrange: false };
  const text = await answer.text();
  const isStrange = answer.ok && error !== undefined;
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), isStrange };
}
