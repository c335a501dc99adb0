import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { type LiveResource, withAlternatives } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import type { PlannedRun } from '../run/plan-run.ts';
import { listShownTexts } from './assign-tokens.ts';
import type { PartSource } from './part-source.ts';

/**
 * Returns the address of an object that has a secret in clear in a plan from a snapshot (`replayed`), although the original plan hides it;
 * undefined if there is none. A sealed value that is the same in both plans was not replaced by a token, so the snapshot has it in clear.
 * That is right only for a text that the original plan shows. The last check before a snapshot is written.
 */
export function findClearSecret(
  session: PartSource,
  planned: Pick<PlannedRun, 'live' | 'input'>,
  replayed: Pick<PlannedRun, 'live'>,
): Address | undefined {
  const replayedObjects = withAlternatives([...replayed.live.resources.values()]);
  const plannedObjects = withAlternatives([...planned.live.resources.values()]);
  const objectsById = groupBy(
    plannedObjects.flatMap((object) => object.ids.map((id) => ({ id, object }))),
    ({ id }) => id,
  );
  const valuesOf = ({ fields, rows }: LiveResource) => [fields, rows?.map((row) => row.fields)];
  const hasClearSecret = (object: LiveResource, replayedObject: LiveResource): boolean => {
    const clearTexts = secretsWithoutToken(valuesOf(object), valuesOf(replayedObject));
    if (clearTexts.length === 0) return false;
    // Several objects may share a row, such as a variable in two targets: the plan shows a text if it shows that of one of them.
    const sharing = object.ids.flatMap((id) => objectsById.get(id) ?? []);
    const shownTexts = sharing.map((sharer) => listShownTexts(sharer.object, session, planned));
    return clearTexts.some((text) => !shownTexts.some((texts) => texts.has(text)));
  };
  // Both plans have the same objects in the same order.
  return plannedObjects.find((object, index) => {
    const replayedObject = replayedObjects[index];
    return replayedObject !== undefined && hasClearSecret(object, replayedObject);
  })?.address;
}

/**
 * Returns the texts that are secret in `value`, from the account, and stand in `other`, from a new snapshot, at the same place. Such a
 * snapshot would show secrets, so it is not written.
 */
function secretsWithoutToken(value: unknown, other: unknown): string[] {
  if (value instanceof Sealed) {
    const text = value.reveal();
    const otherText = other instanceof Sealed ? other.reveal() : other;
    return text !== '' && otherText === text ? [text] : [];
  }
  if (typeof value !== 'object' || value === null || typeof other !== 'object' || other === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretsWithoutToken(member, (other as Record<string, unknown>)[name]),
  );
}
