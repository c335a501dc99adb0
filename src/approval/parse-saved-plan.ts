import { Problems, problem } from '../model/diagnostic.ts';
import { type SavedPlan, savedPlan } from './saved-plan.ts';
import { checksumOf } from './signature.ts';

/** How every saved plan begins, whole or not. */
export const isSavedPlan = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"trueup plan"/.test(text);

/** Text as a saved plan; throws `Problems` that say what it is in place of one. */
export function parseSavedPlan(text: string, place: string): SavedPlan {
  const refuse = (code: string, message: string, hint: string) =>
    new Problems([problem(code, `${place}: ${message}`, { hint })]);
  const again = 'make a new one with `trueup plan --out FILE`, and have that approved';
  const json = parsed(text);
  const { format, formatVersion, checksum } = (json ?? {}) as Partial<Record<keyof SavedPlan, unknown>>;
  if (json === undefined && isSavedPlan(text))
    throw refuse('approval/damaged', 'this plan was cut off or damaged: it is no valid JSON', again);
  if (format !== 'trueup plan')
    throw refuse(
      'approval/not-a-plan',
      'this is no saved plan',
      'it takes a file that `trueup plan --out FILE` wrote; a configuration is named with --file',
    );
  if (formatVersion === 1)
    throw refuse(
      'approval/older',
      'this plan was saved by an older trueup, which sealed it in another way',
      again,
    );
  if (typeof formatVersion === 'number' && formatVersion > 2)
    throw refuse(
      'approval/newer',
      `this plan was saved by a newer trueup (format ${formatVersion})`,
      'update trueup',
    );
  const result = savedPlan.safeParse(json);
  const [issue] = result.error?.issues ?? [];
  if (!result.success)
    throw refuse(
      'approval/damaged',
      `this plan was damaged or edited: ${issue?.path.join('.') || 'the document'}: ${issue?.message}`,
      again,
    );
  if (checksum !== checksumOf(json as SavedPlan))
    throw refuse('approval/damaged', 'this plan was damaged or edited: its checksum is another one', again);
  return result.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
