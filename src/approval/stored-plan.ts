import { Conflict, type Documents } from '../ledger/documents.ts';
import { parseSavedPlan } from './parse-saved-plan.ts';
import type { SavedPlan } from './saved-plan.ts';

/*
 * The plan that a fleet worker made of a stack. It is stored beside the ledger until a person approves it and a worker applies it.
 */

/**
 * Reads the plan of a stack that a fleet worker stored beside the ledger, where it waits for its approval and the job that applies it;
 * undefined if there is none. `version`: the version of the stored document, to replace or remove it only if it is unchanged. Throws
 * `Problems` if the stored text is not a plan.
 */
export async function readStoredPlan(
  documents: Documents,
): Promise<{ text: string; version: string; saved: SavedPlan } | undefined> {
  const storedDocument = await documents.read('plan');
  return (
    storedDocument && {
      ...storedDocument,
      saved: parseSavedPlan(storedDocument.text, `the plan kept with ${documents.place}`),
    }
  );
}

/**
 * Stores a plan beside the ledger for its approval, and replaces an older one. Throws `Problems`, or `Conflict` if others keep changing it.
 */
export const storePlan = (documents: Documents, text: string): Promise<void> =>
  retryOnConflict(documents, async (version) => {
    await documents.write('plan', text, { expected: version });
  });

/**
 * Removes the plan with this digest that is stored beside the ledger, after a fleet worker has applied it. Keeps it if it is another, newer
 * plan. Throws `Problems`, or `Conflict` if others keep changing it.
 */
export async function removeStoredPlan(documents: Documents, digest: string): Promise<void> {
  await retryOnConflict(documents, async () => {
    const stored = await readStoredPlan(documents);
    if (stored?.saved.checksum === digest) await documents.remove('plan', { expected: stored.version });
  });
}

const maxConflictRetries = 5;

/**
 * Calls `write` with the current version of the stored plan, and again if another worker has replaced the plan in between, so that the last
 * writer wins. Throws `Conflict` if that happens too often.
 */
async function retryOnConflict(
  documents: Documents,
  write: (version: string | undefined) => Promise<void>,
): Promise<void> {
  for (let retry = 0; ; retry++)
    try {
      return await write((await documents.read('plan'))?.version);
    } catch (error) {
      if (!(error instanceof Conflict) || retry === maxConflictRetries) throw error;
    }
}
