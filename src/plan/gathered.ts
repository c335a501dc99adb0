import type { Address } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { holesIn, isSecretRef } from '../model/value.ts';
import { placeOf, wholeAddress } from '../model/wholes.ts';

/** One warning in place of many that say the same: their subjects, its text, and one hint for all. */
interface Alike {
  /** Up to this number, they stay as they are. */
  upTo?: number;
  about?(one: Diagnostic): string | undefined;
  /** Gets the number of subjects, and the number of warnings. */
  message(count: number, all: number): string;
  hint?(abouts: string[]): string;
}

const most = 3;
const resources = ({ address }: Diagnostic) => address && wholeAddress(address);
const alike: Record<string, Alike> = {
  'secret/unset': {
    about: ({ secret }) => secret?.name,
    message: (count) => `${count} secrets are not available, since their environment variables are not set`,
    hint: (variables) => `set ${variables.join(', ')}`,
  },
  'secret/stand-in': {
    upTo: 1,
    about: ({ secret }) => secret?.name,
    message: (count) =>
      `using placeholders for ${count} secrets (secrets are not read for the embedded twin)`,
  },
  'source/env': {
    about: ({ secret }) => secret?.name,
    message: (count) =>
      `${count} secrets are not available, since their environment variables may not be read`,
    hint: (variables) =>
      `write \`NAME: {}\` and set TRUEUP_SECRET_NAME, or allow them with ${variables.map((name) => `--allow-env ${name}`).join(' ')}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_ENV: ${variables.join(',')}\``,
  },
  'source/file': {
    about: ({ secret }) => secret?.name,
    message: (count) => `${count} secrets are not available, since their files may not be read`,
    hint: () =>
      "allow them with --allow-files, for example --allow-files 'secrets/*.txt'; `trueup validate` names each",
  },
  'source/command': {
    about: ({ secret }) => secret?.name,
    message: (count) => `${count} secrets are not available, since their commands may not run`,
    hint: () =>
      "allow them with --allow-command, for example --allow-command 'op read op://deploy/*'; `trueup validate` names each",
  },
  'secret/not-compared': {
    about: resources,
    message: (count) => `the secrets of ${count} resources are not available here, so they were not compared`,
  },
  'secret/previous-key': {
    about: resources,
    message: (count) =>
      `the ledger entries for secrets of ${count} resources stay under the previous ledger key, since those secrets are not available here`,
    hint: () => 'keep TRUEUP_LEDGER_KEY_PREVIOUS until they have been applied with their secrets',
  },
  'secret/unverified': {
    about: resources,
    message: (count) =>
      `the secrets of ${count} resources cannot be read back, and their last applied values are unknown`,
    hint: () => 'they are left as they are; to send them once, use --send-unverified GLOB',
  },
  'secret/changed-outside': {
    about: resources,
    message: (count) =>
      `${count} resources may have changed outside: the platform has later writes than ours, and their secrets cannot be read back`,
    hint: () => 'they are left as they are; to send them once, use --send-unverified GLOB',
  },
  'stack/left': {
    about: resources,
    message: (count) => `${count} resources are not declared here and are kept: other stacks own them`,
    hint: () => '`$exclusive` deletes nothing of another stack',
  },
  // One cause, and one thing to do, however few there are.
  'secret/no-key': {
    upTo: 0,
    message: (_, all) =>
      `TRUEUP_LEDGER_KEY is not set: ${all === 1 ? '1 secret is' : `${all} secrets are`} not compared`,
    hint: () => 'set it to the key the ledger was written with; until then these secrets stay as they are',
  },
  'secret/before-apply': {
    upTo: 0,
    message: (_, all) =>
      `${all === 1 ? '1 secret is' : `${all} secrets are`} not compared before the first apply`,
    hint: () => '`trueup apply` compares them, and asks before it changes anything',
  },
  'secret/key-left-out': {
    upTo: 0,
    message: (_, all) =>
      `${all === 1 ? '1 secret is' : `${all} secrets are`} not compared: that takes the ledger key, which plans of pull requests never have`,
  },
};

/**
 * Joins diagnostics about the units of one variable, and then all others of one sort if there are more than a few, each at the place of
 * the first.
 */
export function gathered(given: Diagnostic[]): Diagnostic[] {
  const diagnostics = [...groupBy(given.entries(), ([at, one]) => ofWhole(one) ?? String(at)).values()].map(
    (alike) => together(alike.map(([, one]) => one)),
  );
  const byCode = groupBy(diagnostics, ({ code }) => code);
  return diagnostics.flatMap((one) => {
    const kind = alike[one.code];
    const of = byCode.get(one.code)!;
    if (!kind || of.length <= (kind.upTo ?? most)) return one;
    if (one !== of[0]) return [];
    const abouts = kind.about ? distinct(of.map(kind.about)) : [];
    const shown = abouts.length > 0 ? `: ${abouts.slice(0, most).join(', ')}` : '';
    const rest = abouts.length > most ? ` and ${abouts.length - most} more` : '';
    const users = distinct(of.flatMap(({ secret }) => secret?.users ?? []));
    const more = users.length > most ? ` and ${users.length - most} more` : '';
    const needed = users.length > 0 ? `; needed by ${users.slice(0, most).join(', ')}${more}` : '';
    const hint = kind.hint?.(distinct(of.map(({ secret }) => secret?.variable)));
    return warning(one.code, `${kind.message(abouts.length, of.length)}${shown}${rest}${needed}`, {
      ...(one.at ? { at: one.at } : {}),
      ...(hint ? { hint } : {}),
    });
  });
}

/** A key that is the same for diagnostics that differ only in the place of a variable; undefined for those that name no place. */
function ofWhole({ address, hint: _, ...one }: Diagnostic): string | undefined {
  const whole = address && wholeAddress(address);
  if (address === undefined || whole === undefined || whole === address) return undefined;
  return JSON.stringify([whole, one]).replaceAll(address, whole);
}

function together(alike: Diagnostic[]): Diagnostic {
  const [first] = alike as [Diagnostic];
  const { address } = first;
  const places = distinct(alike.map((one) => one.address && placeOf(one.address)));
  if (address === undefined || places.length < 2) return first;
  const whole = wholeAddress(address);
  const isSameHint = alike.every(({ hint }) => hint === first.hint);
  return {
    ...first,
    message: first.message.replace(address, () => `${whole} [${places.join(', ')}]`),
    ...(isSameHint || first.hint === undefined
      ? {}
      : { hint: `${first.hint}; likewise for its other targets` }),
  };
}

const distinct = (items: (string | undefined)[]): string[] => [
  ...new Set(items.filter((item) => item !== undefined)),
];

const otherCause = /^(secret\/(file|empty|not-text|command)|source\/.*)$/;

/**
 * Rewords, for the plan of a pull request, what its job must not have: secrets and the ledger key. There is nothing to fix, so nothing
 * suggests setting them. Other problems with secrets stay as they are.
 */
export const forReview = (diagnostics: Diagnostic[]): Diagnostic[] =>
  withoutUnsetSecrets(diagnostics).map((diagnostic) =>
    diagnostic.code === 'secret/no-key' || diagnostic.code === 'secret/before-apply'
      ? { ...diagnostic, code: 'secret/key-left-out', hint: undefined }
      : diagnostic,
  );

/** Reports once that secrets are missing. */
function withoutUnsetSecrets(diagnostics: Diagnostic[]): Diagnostic[] {
  const unset = diagnostics.filter(({ code }) => code === 'secret/unset');
  if (unset.length === 0) return diagnostics;
  // With another cause around, nobody can tell which of the two a value was not compared for.
  const isOnly = !diagnostics.some(({ code }) => otherCause.test(code));
  const isSaid = ({ code }: Diagnostic) =>
    code === 'secret/unset' || (isOnly && code === 'secret/not-compared');
  const names = [...new Set(unset.flatMap(({ secret }) => secret?.name ?? []))];
  const shown = names.slice(0, most).join(', ');
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  const [are, they] = names.length === 1 ? ['secret is', 'it is'] : ['secrets are', 'they are'];
  return [
    ...diagnostics.filter((one) => !isSaid(one)),
    warning(
      'secret/left-out',
      `${names.length} ${are} not available to pull request plans, so ${they} not compared: ${shown}${rest}`,
    ),
  ];
}

/** Drops warnings about resources that were not selected, and about secrets that only those use. */
export function concerning(
  diagnostics: Diagnostic[],
  { changes, partial }: Pick<Plan, 'changes' | 'partial'>,
  { resources }: Desired,
): Diagnostic[] {
  const wanted = partial
    ? changes.flatMap(({ address }) => resources.get(address) ?? [])
    : [...resources.values()];
  const holes = wanted.flatMap(({ fields }) => holesIn(fields)).filter(isSecretRef);
  const used = new Set(holes.map(({ $secret }) => $secret));
  const isInPlan = (one: Address) => !partial || changes.some(({ address }) => isUnitOf(address, one));
  return diagnostics.filter(
    ({ severity, address, secret }) =>
      severity === 'error' ||
      ((address === undefined || isInPlan(address)) && (secret === undefined || used.has(secret.name))),
  );
}

/** True if an address is `block` or one of its units: `A@production` for `A`, any of a list for `#3`. */
function isUnitOf(address: Address, block: Address): boolean {
  const list = /^(.*\/)#\d+$/.exec(block)?.[1];
  return address === block || address.startsWith(list ?? `${block}@`);
}
