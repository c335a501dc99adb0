/*
 * Computes the new texts of `trueup accept`, and proves them by a second plan. An object whose new text does not declare what the account
 * has is left out, and the texts are computed again without it, so that one such object does not hinder the others.
 */

import { createPlanOptions, type PlanningOptions } from '../../app/planning/plan-options.ts';
import { createLoadOptions } from '../../app/session/load-configuration.ts';
import { load } from '../../config/load.ts';
import { hasOtherValueIn } from '../../export/secret-names.ts';
import { type Address, isWithinAny } from '../../model/address.ts';
import { raise, shellQuoted } from '../../model/diagnostic.ts';
import { createAddressMatcher } from '../../model/glob.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import { addressBefore } from '../../model/move.ts';
import type { Plan } from '../../model/plan.ts';
import type { Desired } from '../../model/resource.ts';
import { mayContainMatch } from '../../observe/observe-account.ts';
import { type OpenPlanOptions, openSessionPlan } from '../../run/open-plan.ts';
import { type AcceptResult, accept } from '../accept.ts';
import { acceptSafely } from '../accept-safely.ts';
import type { Unplaced } from '../acceptance.ts';
import { type AcceptedFiles, acceptedPathsOf, rereadAccepted, unprovenProblems } from '../accepted-files.ts';
import type { Reload } from '../changed-files.ts';
import { findDefects, findOpenChanges, type OpenChange } from '../find-defects.ts';
import type { RefusedOrigins } from '../origin-edit.ts';
import { findReorderedLists, type NewOrder } from '../reorder-lists.ts';
import type { AcceptOptions, AcceptPort, AcceptRun } from './accept-run.ts';
import { createCheckOfOtherStacks } from './check-other-stacks.ts';

/**
 * Returns the options of the two plans of `trueup accept`: the one with the changes to accept, and the one that checks the edited YAML.
 * Objects of `--new` are not in the configuration, so `also` makes both plans read them.
 */
export function planOptionsFor(options: AcceptOptions, { run }: AcceptPort): OpenPlanOptions {
  const { new: newGlobs } = options;
  const planOptions = createPlanOptions(options as PlanningOptions, run.host);
  if (!newGlobs) return planOptions;
  const also: OpenPlanOptions['also'] = (kind, parent) => mayContainMatch(kind, parent, newGlobs);
  return { ...planOptions, also };
}

/** What `computeTexts` writes of the chosen changes. */
interface TextChoices {
  /** Undeclared objects to declare. */
  additions: ReadonlySet<Address>;
  /** Possible secrets that may be written, each as `ADDRESS PATH`. */
  allowedValues: ReadonlySet<string>;
  /** Data that must stay as it is. */
  refused?: RefusedOrigins;
  /** Objects whose changes are not accepted, although the user chose them. */
  leftOut?: ReadonlySet<Address>;
}

/** New texts that are proved, or the result without them. */
interface ProvenTexts {
  result: AcceptResult;
  /** Absent if nothing is to be written, or if a change has no place in the files (`unplaced`) and no other change is left. */
  accepted?: AcceptedFiles;
}

/**
 * Computes the texts of the configuration that `trueup accept` writes, and proves them: a plan of the new texts must find the accepted
 * values declared. Each round leaves out the objects that have no place in the texts or fail the proof, with a reason (`reasons`), and the
 * next one computes the texts without them. Ends when the texts are proved, when nothing is left to write, or if an object of `--new`
 * (`additions`) has no place. Throws `Problems` if the texts are wrong in any other way.
 */
export async function computeProvenTexts(
  acceptRun: AcceptRun,
  additions: ReadonlySet<Address>,
  allowedValues: ReadonlySet<string>,
): Promise<ProvenTexts> {
  const { provider, options, port, session } = acceptRun;
  const orders = findAcceptedOrders(acceptRun);
  const reasons = new Map<Address, string>();
  const unplacedSoFar: Unplaced[] = [];
  const reload: Reload = (texts) =>
    load({ ...createLoadOptions(provider, options, port.run), sources: session.sources, texts });
  const checkOthers = createCheckOfOtherStacks(session.configuration, provider, options, port.run);
  for (;;) {
    const computed = await acceptSafely(
      (refused) =>
        computeTexts(acceptRun, { additions, allowedValues, refused, leftOut: new Set(reasons.keys()) }),
      session.configuration,
      reload,
      checkOthers,
    );
    const leftOut = [...reasons].map(([address, reason]) => ({ address, reason }));
    const result = { ...computed, leftOut: [...computed.leftOut, ...leftOut] };
    const { files, unplaced } = result;
    // Objects that are left out but still have no place are those of `--new`. They cannot be left out, so the caller reports them.
    const isStillUnplaced = unplaced.some(({ addresses }) =>
      addresses.every((address) => reasons.has(address)),
    );
    if (isStillUnplaced) return { result };
    if (unplaced.length > 0) {
      unplacedSoFar.push(...unplaced);
      addReasons(reasons, reasonsOfUnplaced(unplaced));
    } else if (files.length === 0 && orders.length === 0) {
      // Nothing is left to write: the objects without a place are reported instead of their reasons.
      return { result: { ...computed, unplaced: unplacedSoFar } };
    } else {
      const accepted = await rereadAccepted(session, files, orders, reload);
      const proof = await proveAcceptedTexts(acceptRun, accepted, result, orders);
      if (proof.defects.length === 0) return { result, accepted };
      addReasons(reasons, findOpenReasons(acceptRun, result, proof, reasons));
    }
  }
}

/** Returns why each object without a place in the texts is left out. */
const reasonsOfUnplaced = (unplaced: readonly Unplaced[]): Map<Address, string> =>
  new Map(
    unplaced.flatMap(({ addresses, reason }) =>
      addresses.map((address) => [address, `${reason}: edit it by hand`] as const),
    ),
  );

/** Adds objects to leave out, each with the reason. An object that is left out already keeps its reason. */
function addReasons(reasons: Map<Address, string>, newReasons: ReadonlyMap<Address, string>): void {
  for (const [address, reason] of newReasons) if (!reasons.has(address)) reasons.set(address, reason);
}

/**
 * Returns the objects to leave out because a plan of the new texts would still change them (`open`), with the reasons: all targets of a
 * variable together, since one block declares them. Throws `Problems` if the texts have any other defect, or if all of these objects are
 * left out already.
 */
function findOpenReasons(
  { planned }: AcceptRun,
  { moves }: AcceptResult,
  { open, defects }: ProofOfTexts,
  knownReasons: ReadonlyMap<Address, string>,
): Map<Address, string> {
  // The new texts have the new names; the objects are left out by their old addresses.
  const openTexts = new Map(
    open.map(({ address, text }) => [addressWithoutTarget(addressBefore(address, moves)), text]),
  );
  const reasons = planned.plan.changes.flatMap(({ address }): [Address, string][] => {
    const text = openTexts.get(addressWithoutTarget(address));
    return text === undefined || knownReasons.has(address)
      ? []
      : [[address, `not accepted, because it ${text}: edit it by hand`]];
  });
  // The open changes are defects, too.
  const hasOtherDefects = defects.length > open.length;
  if (reasons.length === 0 || hasOtherDefects) raise(unprovenProblems(defects));
  return new Map(reasons);
}

/** The result of a plan of new texts: accepted changes that are still open, and all defects as sentences, the open changes first. */
interface ProofOfTexts {
  open: OpenChange[];
  defects: string[];
}

/**
 * Computes the new texts of the YAML files without writing them. Called first to find the values that may be secrets, then with those that
 * the user allows (`allowedValues`), and without data and objects that had to be left out (`refused`, `leftOut`; see `TextChoices`). A new
 * secret gets another name if the environment variable of its name has another value already (`isTaken`).
 */
export function computeTexts(
  { addresses, options, session, planned, written }: AcceptRun,
  { additions, allowedValues, refused = new Map(), leftOut = new Set() }: TextChoices,
): AcceptResult {
  const { kinds, configuration, host } = session;
  const isNamed = addresses.length > 0;
  const matches = createAddressMatcher(addresses);
  return accept(
    {
      plan: planned.plan,
      desired: configuration.desired,
      live: planned.live,
      written,
      kinds,
      additions,
      refused,
      isTaken: hasOtherValueIn(host),
    },
    {
      isNamed,
      isChosen: (address) =>
        !isWithinAny(address, leftOut) && (isNamed ? matches(address) : options.all === true),
      mayWrite: (address, path) => allowedValues.has(`${address} ${path}`),
    },
  );
}

/**
 * Returns the lists whose new order `trueup accept` writes into the YAML: with `--all` those that were certainly reordered outside,
 * otherwise all lists that contain a named object, even if the tool cannot tell who reordered them.
 */
function findAcceptedOrders({ addresses, options, session, planned }: AcceptRun): NewOrder[] {
  const { desired } = session.configuration;
  const { plan, live } = planned;
  const orders = findReorderedLists(plan.changes, { desired, live, kinds: session.kinds });
  if (addresses.length === 0)
    return options.all ? orders.filter(({ isChangedOutside }) => isChangedOutside) : [];
  const matches = createAddressMatcher(addresses);
  return orders.filter((order) => order.addresses.some(matches));
}

/**
 * Checks the new texts of `trueup accept` before they are written, by planning them against the account as it was read. Returns the
 * accepted changes that this plan still has (`open`), and all defects of the texts as sentences, these changes included. With `--all`, and
 * if there are no defects, also tells the user about lists whose order still differs.
 */
async function proveAcceptedTexts(
  { options, port, session, planned }: AcceptRun,
  accepted: AcceptedFiles,
  result: AcceptResult,
  orders: readonly NewOrder[],
): Promise<ProofOfTexts> {
  const { kinds } = session;
  const { desired } = accepted.configuration;
  const { moves } = result;
  const acceptedPaths = acceptedPathsOf(session.configuration.desired.resources, accepted, result, orders);
  const proof = await openSessionPlan({ ...session, desired }, planOptionsFor(options, port));
  const before: { plan: Plan; desired: Desired } = { plan: planned.plan, desired: session.desired };
  const defects = findDefects(before, { plan: proof.plan, desired }, acceptedPaths, moves);
  const reordered =
    options.all && defects.length === 0
      ? findReorderedLists(proof.plan.changes, { desired, live: proof.live, kinds })
      : [];
  sayReorderedLists(reordered, port);
  return { open: findOpenChanges(proof.plan, acceptedPaths), defects };
}

/** Names lists whose order `accept --all` leaves out, because it cannot tell who changed it, with the command that accepts it. */
function sayReorderedLists(orders: readonly NewOrder[], { say }: AcceptPort): void {
  for (const { addresses } of orders) {
    const [firstAddress] = addresses;
    say(
      `${firstAddress}: the order of its list differs, and it is unknown who changed it: trueup accept ${shellQuoted(firstAddress!)}`,
    );
  }
}
