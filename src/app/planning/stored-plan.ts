import { parseSavedPlan } from '../../approval/parse-saved-plan.ts';
import type { SavedPlan } from '../../approval/saved-plan.ts';
import { Conflict, type Documents } from '../../ledger/documents.ts';

/** The plan that is kept beside a ledger until it is carried out; undefined where there is none. Throws `Problems` for anything else. */
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

/** Keeps a plan beside the ledger, in place of the one that is there. Throws `Problems`. */
export const storePlan = (documents: Documents, text: string): Promise<void> =>
  replaced(documents, async (version) => void (await documents.write('plan', text, { expected: version })));

/** Takes a plan away that was carried out, unless another one has taken its place. Throws `Problems`. */
export async function removeStoredPlan(documents: Documents, digest: string): Promise<void> {
  await replaced(documents, async () => {
    const kept = await readStoredPlan(documents);
    if (kept?.saved.checksum === digest) await documents.remove('plan', { expected: kept.version });
  });
}

/** Several workers may want to: the last one counts. */
async function replaced(
  documents: Documents,
  write: (version: string | undefined) => Promise<void>,
): Promise<void> {
  for (let left = 5; ; left--)
    try {
      return await write((await documents.read('plan'))?.version);
    } catch (error) {
      if (!(error instanceof Conflict) || left === 0) throw error;
    }
}
