import type { Address } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import { listFew } from '../model/fold-wordings.ts';
import { byText } from '../model/graph.ts';
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
} from '../model/value.ts';

/**
 * Returns a request with its holes filled, ready for sending. A hole is a place for a value that the plan did not
 * know, such as the id of an object created earlier in the run. Secrets stay sealed until the client sends them.
 * Throws if a value is missing, with the reason. Called right before a request is sent, when the values are known.
 * `holeValues`: the values by kind of hole.
 */
export function fillRequest(request: Request, holeValues: HoleValues): Request {
  const fill = (value: unknown): unknown => fillHoles(value, holeValues, throwMissingValue);
  return {
    ...request,
    params: fill(request.params) as Request['params'],
    body: fill(request.body),
    returns: fill(request.returns) as Request['returns'],
  };
}

/**
 * Returns a request with the content of its file as its body; other requests stay as they are. Until then the body only names the file by
 * its digest, because content may be large. Throws if the file was not read.
 */
export function withFileContent(request: Request, contents: ReadonlyMap<string, FileContent>): Request {
  if (!request.file) return request;
  const content = contents.get((request.body as { file: string }).file);
  if (!content) throw new Error('the file to send was not read');
  return { ...request, body: content };
}

/**
 * Throws the error for a hole of a request (a value that is known only during the apply, such as the id of a new
 * object) that is still missing, with the reason. The operation then ends.
 */
function throwMissingValue(hole: Exclude<Hole, Join>): never {
  if (isRef(hole))
    throw new Error(`the account does not show \`${hole.attr}\` of ${hole.$ref} yet; run again to go on`);
  if (isSecretRef(hole)) throw new Error(`the secret ${hole.$secret} is not available`);
  throw new Error('an earlier response lacks a value that this request needs');
}

/**
 * Returns the addresses that need a secret that is not available, with its name. Used to send none of their requests, not even those that
 * come before the secret: they could delete an object that cannot be created again.
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

/**
 * Throws `Problems` if operations would have to send secrets that are not available. `plan` works without secrets, so `apply` and `undo`
 * check this before their first request, while nothing is changed yet.
 */
export function refuseMissingSecrets(operations: Operation[], secrets: ReadonlyMap<string, Sealed>): void {
  const missing = new Set(missingSecrets(operations, secrets).map(({ name }) => name));
  if (missing.size === 0) return;
  const names = [...missing].sort(byText).map((name) => `\`${name}\``);
  raise(
    'secret/missing',
    `${listFew(names)} would have to be sent, and ${missing.size === 1 ? 'is' : 'are'} not available`,
    {
      hint: 'see the warnings for the reason; nothing was changed',
    },
  );
}
