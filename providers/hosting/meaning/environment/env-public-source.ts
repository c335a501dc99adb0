/*
 * Evidence that a public variable gets a secret, without the value of the secret: its source (a name under `secrets:`), and names.
 *
 *   | evidence                                                                  | severity |
 *   | ------------------------------------------------------------------------- | -------- |
 *   | another variable, named like a secret, takes the same source              | warning  |
 *   | another variable, named like a secret, has the same source in its text    | note     |
 *   | another variable, kept secret, takes the same source                      | note     |
 *   | the variable or its source is named like a secret                         | note     |
 *
 * A part of a text may be a host or a user. A variable that is kept secret is only a note, because the platform's command line keeps
 * variables secret unless it is asked not to, also those that hold a public key.
 */
import { type Finding, holesIn, isHole, Sealed, type Value, type ViewedObject } from '#kind';
import { describeVariable, isSecretVariable, type PublicVariable, type Variable } from './env-variables.ts';

/** How strong the evidence is that a variable shows a source to be secret, as in the table: the lowest is the strongest. */
const ranks = { named: 0, partly: 1, kept: 2 };

/** A variable without a public prefix, in one place, as evidence about the secret that it takes. */
interface Witness {
  variable: Variable;
  unit: ViewedObject;
  evidence: keyof typeof ranks;
}

/** The strongest evidence about each secret: by its name in the whole view, and by its name and a project. */
export type WitnessBySource = ReadonlyMap<string, Witness>;

const keyIn = (project: string | undefined, source: string): string => `${project ?? ''}\n${source}`;

/** Returns the strongest evidence about each secret that variables take. */
export function indexSources(variables: readonly Variable[]): WitnessBySource {
  const bySource = new Map<string, Witness>();
  const add = (key: string, witness: Witness) => {
    const strongest = bySource.get(key);
    if (!strongest || ranks[witness.evidence] < ranks[strongest.evidence]) bySource.set(key, witness);
  };
  for (const variable of variables)
    for (const unit of variable.units) {
      const sources = sourcesOf(unit.fields.value);
      const evidence = sources.length > 0 ? evidenceOf(variable, unit) : undefined;
      if (!evidence) continue;
      for (const source of sources) {
        add(source, { variable, unit, evidence });
        add(keyIn(variable.project, source), { variable, unit, evidence });
      }
    }
  return bySource;
}

/** Returns what a variable shows about the secret that it takes; undefined if it shows nothing. */
function evidenceOf({ name }: Variable, unit: ViewedObject): Witness['evidence'] | undefined {
  const { value } = unit.fields;
  if (isNamedLikeSecret(name)) return isWholeSecret(value) ? 'named' : 'partly';
  return isSecretVariable(unit) ? 'kept' : undefined;
}

/** True if a value is one secret and nothing else: `validate` sees its name, and a plan that has its text sees it sealed. */
const isWholeSecret = (value: Value | undefined): boolean =>
  value instanceof Sealed ? !value.holdsMore : isHole(value) && '$secret' in value;

/** Returns the names of the secrets in a value. The secrets themselves stay sealed. */
function sourcesOf(value: Value | undefined): string[] {
  if (typeof value !== 'object') return [];
  if (value instanceof Sealed) return value.secretName === undefined ? [] : [value.secretName];
  return holesIn(value).flatMap((hole) => ('$secret' in hole ? hole.$secret : []));
}

/**
 * Returns a finding about a public variable that takes the same secret as a private one, if possible of its project; undefined if there is
 * none.
 */
export function findSharedSource(variable: PublicVariable, witnesses: WitnessBySource): Finding | undefined {
  for (const { address, fields } of variable.units)
    for (const source of sourcesOf(fields.value)) {
      const anywhere = witnesses.get(source);
      if (!anywhere) continue;
      const inProject = witnesses.get(keyIn(variable.project, source));
      const witness = inProject?.evidence === anywhere.evidence ? inProject : anywhere;
      const role = witness.evidence === 'kept' ? 'which is kept secret' : 'whose name says that it is secret';
      return {
        code: 'env/public-source',
        severity: witness.evidence === 'named' ? 'warning' : 'note',
        message: `${describeVariable(variable)} takes the same secret (${source}) as ${describeVariable(witness.variable)}, ${role}; frameworks put variables with the prefix ${variable.prefix} into code for browsers, where everybody can read it`,
        hint: `remove ${variable.name} and read the other variable on the server; if the value is meant for browsers, it need not be secret`,
        address,
        path: 'value',
        related: [{ message: 'takes the same secret', address: witness.unit.address, path: 'value' }],
      };
    }
  return undefined;
}

/**
 * Returns a finding about a declared public variable that is named like a secret, or takes a secret with such a name; undefined if there is
 * none.
 */
export function findByName(variable: PublicVariable): Finding | undefined {
  const isNamed = isNamedLikeSecret(variable.name.slice(variable.prefix.length));
  for (const { address, fields, isDeclared } of variable.units) {
    const { value } = fields;
    const source = sourcesOf(value).find(isNamedLikeSecret);
    if (!isDeclared || (source === undefined && !(isNamed && mayBeSecret(value)))) continue;
    const subject = isNamed
      ? `the name of ${describeVariable(variable)} says that it holds a secret`
      : `${describeVariable(variable)} takes a secret (${source}) whose name says that only servers may have it`;
    return {
      code: 'env/public-name',
      severity: 'note',
      message: `${subject}; frameworks put variables with the prefix ${variable.prefix} into code for browsers, where everybody can read it`,
      hint: 'if it is secret, give it a name without this prefix and read it only on the server',
      address,
      path: 'value',
    };
  }
  return undefined;
}

/** True if a value that stands in clear is neither a setting, a path nor a URL, or if the value is not known. */
const mayBeSecret = (value: Value | undefined): boolean =>
  typeof value !== 'string' || /^(?!true$|false$|\/|[a-z]+:\/\/)\S{8,}$/i.test(value);

const secretEnding =
  /(^|_)(secret|secret_key|secret_access_key|private_key|signing_key|encryption_key|service_role|service_role_key|password|passphrase|database_url|connection_string|credentials)$/;

/**
 * True for a name that ends like one of a secret: `STRIPE_SECRET_KEY`, `dbPassword`. The address of a database of Firebase is public by
 * design, and so is anything that is called so.
 */
function isNamedLikeSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase();
  return secretEnding.test(words) && !/(^|_)(public|publishable|anon|firebase)(_|$)/.test(words);
}
