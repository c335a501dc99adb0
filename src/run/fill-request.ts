import type { Address } from '../model/address.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Operation } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import {
  type FileContent,
  fillHoles,
  type Hole,
  type HoleValues,
  holesIn,
  isRef,
  isSecretRef,
  type Join,
  type Value,
} from '../model/value.ts';

/** Fills the holes of a request; sealed secrets stay sealed until they are on the wire. Throws if a value is missing. */
export function fillRequest(request: Request, known: HoleValues): Request {
  const all = (value: unknown): unknown => fillHoles(value, known, refuse);
  return {
    ...request,
    ...(request.params ? { params: all(request.params) as Record<string, Value> } : {}),
    ...(request.body === undefined ? {} : { body: all(request.body) }),
    ...(request.returns ? { returns: all(request.returns) as Request['returns'] & {} } : {}),
  };
}

/** Adds the content of its file to a request that sends one. Throws if the file was not read. */
export function withFile(request: Request, contents: ReadonlyMap<string, FileContent>): Request {
  if (!request.file) return request;
  const content = contents.get((request.body as { file: string }).file);
  if (!content) throw new Error('the file to send was not read');
  return { ...request, body: content };
}

function refuse(hole: Exclude<Hole, Join>): never {
  if (isRef(hole))
    throw new Error(`the account does not show \`${hole.attr}\` of ${hole.$ref} yet; run again to go on`);
  if (isSecretRef(hole)) throw new Error(`the secret ${hole.$secret} is not available`);
  throw new Error('an earlier response lacks a value that this request needs');
}

/**
 * The addresses that need a secret that is not available, with its name. None of their requests is sent, not even earlier ones: an object
 * that these delete could not be created again.
 */
export function missingSecrets(
  operations: Operation[],
  secrets: ReadonlyMap<string, Sealed>,
): { address: Address; name: string }[] {
  return operations.flatMap(({ changes, requests }) =>
    holesIn(requests).flatMap((hole) =>
      '$secret' in hole && !secrets.has(hole.$secret)
        ? changes.map((address) => ({ address, name: hole.$secret }))
        : [],
    ),
  );
}

/** Refuses a plan that has to send secrets that are missing: planning needs none, but applying does not even begin. Throws `Problems`. */
export function refuseMissingSecrets(operations: Operation[], secrets: ReadonlyMap<string, Sealed>): void {
  const missing = new Set(missingSecrets(operations, secrets).map(({ name }) => name));
  if (missing.size === 0) return;
  const names = [...missing].sort().map((name) => `\`${name}\``);
  throw new Problems([
    problem(
      'secret/missing',
      `${names.join(', ')} would have to be sent, and ${missing.size === 1 ? 'is' : 'are'} not available`,
      {
        hint: 'see the warnings for the reason; nothing was changed',
      },
    ),
  ]);
}
