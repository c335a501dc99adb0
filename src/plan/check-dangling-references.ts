/*
 * Checks whether objects that stay refer to objects that the plan deletes.
 *
 * The platform then removes the reference, or deletes the referring object as well. `references` below says how an object refers to a
 * deleted one:
 *
 *   | references | meaning                                                        | result                                          |
 *   | ---------- | -------------------------------------------------------------- | ----------------------------------------------- |
 *   | `only`     | the field refers to nothing else, so that without it the object | error: an empty list of projects often means all |
 *   |            | would mean or show something else                              |                                                 |
 *   | `some`     | the field has other references too, or belongs to a unit of a row | warning                                       |
 *   | `whole`    | the whole object is about the deleted one and goes with it     | none in containers, otherwise warning           |
 *
 * An object in a deleted one must be deleted by the plan as well, except in containers, whose contents are
 * counted with them. An object in a replaced one must be deleted by the plan, or declared.
 */

import { canDo } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { addressesByIdIn, addressesByNameIn } from '../kind/references.ts';
import { type Address, ancestorsAmong, indexByAddress } from '../model/address.ts';
import { asksForWrite, type Change, findReplacedAddresses } from '../model/change.ts';
import { type Diagnostic, problem, type Reporter, warning } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { addTo } from '../model/graph.ts';
import type { LiveResource } from '../model/resource.ts';
import { refsIn } from '../model/value.ts';
import { type Deletions, findDeletions, isAbout } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';

/** The most addresses in one message. */
const maxAddresses = 5;

/**
 * Reports objects that a plan keeps although the platform would delete or change them. An error: an object in a deleted or replaced one,
 * and a field that refers only to deleted objects. Otherwise a warning for each deletion of the plan (root), with the objects that refer
 * to the deleted ones. The contents of a deleted container such as a project, and objects that are wholly about them, are not reported,
 * because the plan shows the number of these losses.
 */
export function checkDanglingReferences(
  changes: Change[],
  { live, kinds, desired }: PlanInput,
  report: Reporter,
): void {
  const changeOf = indexByAddress(changes);
  checkReplacedContents(changeOf, { live, kinds, desired }, report);
  const onlyDeletions = changes.filter(({ action }) => action === 'delete');
  const deletions = findDeletions(onlyDeletions, live, kinds);
  // The deletion of the plan by which an object goes: that of the object itself, or of one around it.
  const { rootOf } = deletions;
  if (rootOf.size === 0) return;
  const isContainer = (root: Address) => kinds.get(changeOf.get(root)!.kind)!.lifecycle.container === true;
  const referrersByRoot = new Map<Address, Address[]>();
  for (const object of live.resources.values()) {
    const { address } = object;
    const change = changeOf.get(address);
    const enclosingRoot = rootOf.get(address);
    if (enclosingRoot !== undefined) {
      // An object that cannot be deleted alone has no change of its own that deletes it.
      const isKept = change?.action !== 'delete' && canDo(kinds.get(object.kind)!, 'delete');
      if (isKept && !isContainer(enclosingRoot)) report.add(createStillInsideProblem(address, enclosingRoot));
      continue;
    }
    for (const { address: target, references } of deletedTargetsOf(object, change, deletions, kinds)) {
      const root = rootOf.get(target)!;
      // An object that is about the content of a container (`whole`), such as a role in a project, is lost with it.
      const isLostWithRoot = references === 'whole' && isContainer(root);
      if (references === 'only') report.add(createStillNamedProblem(address, target, root));
      else if (!isLostWithRoot) addTo(referrersByRoot, root, address);
    }
  }
  for (const [root, referrers] of referrersByRoot)
    report.add(createNamedElsewhereWarning(root, [...new Set(referrers)]));
}

/**
 * Reports undeclared objects in a replaced one that the plan does not delete, because they belong to others: the platform deletes them with
 * it, and the plan would not say so. Declared ones are created again. Objects of kinds that cannot be deleted alone are not reported.
 */
function checkReplacedContents(
  changeOf: ReadonlyMap<Address, Change>,
  { live, kinds, desired }: Pick<PlanInput, 'live' | 'kinds' | 'desired'>,
  report: Reporter,
): void {
  const replaced = findReplacedAddresses(changeOf.values());
  if (replaced.size === 0) return;
  for (const { address, kind } of live.resources.values()) {
    const root = ancestorsAmong(address, replaced).find((around) => around !== address);
    const isDeleted = changeOf.get(address)?.action === 'delete';
    const isLost = root !== undefined && !isDeleted && !desired.resources.has(address);
    if (!isLost || !canDo(kinds.get(kind)!, 'delete')) continue;
    report.error(
      'plan/still-inside',
      `${root} would be replaced, but ${address}, which is inside it, would not be created again`,
      { address: root, hint: `declare and apply ${address} first, or keep ${root} as it is` },
    );
  }
}

/**
 * Creates the problem that stops a plan which deletes an object (`root`) and would keep another one in it,
 * because the platform deletes both. Not used for containers, whose content is counted.
 */
const createStillInsideProblem = (address: Address, root: Address): Diagnostic =>
  problem('plan/still-inside', `${root} would be deleted, but ${address}, which is inside it, would not`, {
    address: root,
    hint: `move ${address} out first, or keep its container`,
  });

/**
 * Creates the problem that stops a plan which deletes an object (`target`) although an object that stays (`address`) has a field which
 * refers only to deleted objects: the platform would empty the field, and an empty list often means all. `root`: `target` itself if it has
 * a deletion of its own, otherwise the nearest container that the plan deletes.
 */
const createStillNamedProblem = (address: Address, target: Address, root: Address): Diagnostic =>
  problem('plan/still-named', `${target} would be deleted, but ${address}, which stays, refers to it`, {
    address: root,
    hint: `declare ${address} with another value, delete it first, or keep what it refers to`,
  });

/**
 * Creates the warning that the platform, without a request, removes a deleted object from other objects that refer to it (`referrers`). No
 * change of the plan shows these.
 */
function createNamedElsewhereWarning(root: Address, referrers: readonly Address[]): Diagnostic {
  return warning(
    'plan/named-elsewhere',
    `${root} would be deleted, and the platform removes it from ${listFirst(referrers, maxAddresses)}`,
    { address: root, hint: 'these stay, with their other references' },
  );
}

/** A deleted object that a staying one refers to; for `references` see the table at the top. */
interface DeletedTarget {
  address: Address;
  references: 'some' | 'only' | 'whole';
}

/**
 * Returns the objects deleted by the plan that a staying object still refers to after its change, so that the plan can report the
 * reference: `only` if its field refers to nothing that stays, `whole` if the whole object is about the deleted one, otherwise `some`. A
 * list counts item by item, because its other items may refer to objects that stay. References are found by address, by
 * name and by id. For a kind whose objects share rows of the platform (`byAddress`), such as a variable in several targets, `only` counts
 * as `some`: the row stays for the others.
 */
function deletedTargetsOf(
  object: LiveResource,
  change: Change | undefined,
  deletions: Deletions,
  kinds: Kinds,
): DeletedTarget[] {
  const kind = kinds.get(object.kind)!;
  const fieldsAfterPlan = change?.fields.some(asksForWrite)
    ? { ...object.fields, ...change.after?.fields }
    : object.fields;
  const isDeleted = (address: Address) => deletions.rootOf.has(address);
  const isWholeAbout = isAbout(kind, fieldsAfterPlan, isDeleted);
  return Object.entries(fieldsAfterPlan).flatMap(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    const targetsByItem = items.map((item) =>
      [
        ...refsIn(item),
        ...addressesByNameIn({ [name]: item }, kind, object.parent, kinds),
        ...addressesByIdIn(item, deletions.addressById),
      ].filter(isDeleted),
    );
    const hasOthers = targetsByItem.some((targets) => targets.length === 0);
    const ofField = hasOthers || kind.shape.byAddress ? 'some' : 'only';
    const references = isWholeAbout ? 'whole' : ofField;
    return [...new Set(targetsByItem.flat())].map((address): DeletedTarget => ({ address, references }));
  });
}
