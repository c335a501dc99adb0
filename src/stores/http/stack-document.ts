import * as z from 'zod';
import type { Problems } from '../../model/diagnostic.ts';
import { httpProblem } from './http-error.ts';
import type { HttpPlace } from './http-place.ts';

/**
 * All of one stack, as one document. `serial` rises with each write, since GitLab tells versions by it; the texts of ledger, lease and
 * plan are kept as they are, so that the signatures hold.
 */
export interface StackDocument {
  trueup: 1;
  serial: number;
  ledger?: string | undefined;
  lease?: string | undefined;
  plan?: string | undefined;
  history: Record<string, string>;
}

const schema = z.looseObject({
  trueup: z.literal(1),
  serial: z.number(),
  ledger: z.string().optional(),
  lease: z.string().optional(),
  plan: z.string().optional(),
  history: z.record(z.string(), z.string()),
});

export const documentText = (document: object): string => `${JSON.stringify(document)}\n`;

/** The document in a text; throws `Problems` for anything else, which is then left as it is. */
export const stackDocument = (text: string, place: HttpPlace): StackDocument =>
  parsed(text, place, (json) => schema.safeParse(json).data);

/** The JSON in a text, by a reader that gives back undefined for what it does not know. */
export function parsed<T>(text: string, place: HttpPlace, read: (json: unknown) => T | undefined): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (!text.trimStart().startsWith('<')) throw notOurs(place, 'what lies there is no JSON');
    throw httpProblem(
      place,
      'ledger/http-content',
      'the server sent a web page instead of a ledger, possibly a login page',
      'check the address, the credentials (TF_HTTP_USERNAME and TF_HTTP_PASSWORD) and any proxy; nothing was changed',
    );
  }
  const found = read(json);
  if (found !== undefined) return found;
  const version = (json as { trueup?: unknown } | null)?.trueup;
  const isTerraform = (json as { terraform_version?: unknown } | null)?.terraform_version !== undefined;
  throw notOurs(
    place,
    isTerraform
      ? 'a state of Terraform lies there'
      : typeof version === 'number' && version > 1
        ? 'a newer trueup wrote what lies there'
        : 'what lies there is nothing of trueup',
  );
}

export const notOurs = (place: HttpPlace, why: string): Problems =>
  httpProblem(
    place,
    'ledger/http-content',
    why,
    'name another address, or restore an earlier version; nothing was changed',
  );
