import * as z from 'zod';
import { raise } from '../../model/diagnostic.ts';
import { tryParseJson } from '../../model/read-json.ts';
import { damagedProblem } from './s3-error.ts';

/** A reference to an object, with the digest of its text. */
export interface ObjectName {
  key: string;
  sha256: string;
}

/**
 * The object that says which objects are the current ledger, plan and records of a stack. Only the head is written under a condition. The
 * objects that it names are written before it under new names, and never change. A write therefore takes effect at the moment when the head
 * is written.
 */
export interface StackHead {
  trueup: 1;
  ledger?: ObjectName | undefined;
  plan?: ObjectName | undefined;
  /** The lease itself, because it is small and changes often. */
  lease?: string | undefined;
  history: Record<string, ObjectName>;
}

const objectNameSchema = z.object({ key: z.string(), sha256: z.string() });
const stackHeadSchema = z.looseObject({
  trueup: z.literal(1),
  ledger: objectNameSchema.optional(),
  plan: objectNameSchema.optional(),
  lease: z.string().optional(),
  history: z.record(z.string(), objectNameSchema),
});

/** Formats a head in the form in which it is stored. */
export const formatHead = (head: StackHead): string => `${JSON.stringify(head, null, 2)}\n`;

/**
 * Parses a head: the object in a bucket that names the current objects of a stack. Throws `Problems` for any other
 * content, and if it names an object outside of `folder`, the folder of the stack, because a forged head could make
 * a run delete objects of others.
 */
export function parseHead(text: string, folder: string, place: string): StackHead {
  const head = stackHeadSchema.safeParse(tryParseJson(text)).data;
  if (!head)
    raise(damagedProblem(place, 'its head.json has a format that this version of trueup does not know'));
  if (objectNamesOf(head).some(({ key }) => !key.startsWith(folder)))
    raise(damagedProblem(place, 'its head.json names an object outside of its folder, so it may be forged'));
  return head;
}

/**
 * Returns all objects that a head names: ledger, plan and records. Used to find objects that no head needs any more.
 */
export const objectNamesOf = ({ history, ledger, plan }: StackHead): ObjectName[] => [
  ...Object.values(history),
  ...[ledger, plan].filter((name) => name !== undefined),
];
