import * as z from 'zod';
import { Problems, problem } from '../../model/diagnostic.ts';

/** An object that a head names, with the digest of its text. */
export interface Named {
  key: string;
  sha256: string;
}

/**
 * The object that decides: what a stack's ledger, lease and records are. It is written under a condition; what it names is written
 * before it, each under a name of its own, and never changes.
 */
export interface Head {
  trueup: 1;
  ledger?: Named | undefined;
  plan?: Named | undefined;
  /** As a text: it is small, and changes often. */
  lease?: string | undefined;
  history: Record<string, Named>;
}

const named = z.object({ key: z.string(), sha256: z.string() });
const schema = z.looseObject({
  trueup: z.literal(1),
  ledger: named.optional(),
  plan: named.optional(),
  lease: z.string().optional(),
  history: z.record(z.string(), named),
});

export const headText = (head: Head): string => `${JSON.stringify(head, null, 2)}\n`;

/** The head in a text; throws `Problems` for anything else. `folder`: where all that it names has to lie. */
export function headIn(text: string, folder: string, place: string): Head {
  const found = schema.safeParse(jsonIn(text)).data;
  const all = found ? namedIn(found) : [];
  if (found && all.every(({ key }) => key.startsWith(folder))) return found;
  throw damaged(place, 'its head.json is none that this trueup knows');
}

/** All objects that a head names. */
export const namedIn = ({ history, ledger, plan }: Head): Named[] => [
  ...Object.values(history),
  ...[ledger, plan].filter((one) => one !== undefined),
];

export const damaged = (place: string, why: string): Problems =>
  new Problems([
    problem('ledger/s3-content', `the ledger ${place} cannot be read: ${why}`, {
      hint: 'restore an earlier version of it, if the bucket keeps versions; nothing was changed',
    }),
  ]);

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
