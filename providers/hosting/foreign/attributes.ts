import {
  isPlainObject,
  parseJsonOrText,
  Sealed,
  type ShownText,
  type StateReading,
  type StateResource,
} from '#kind';

/** The notes taken while one resource is read. */
interface Notes {
  secrets: string[];
  leftOut: string[];
  sensitive: readonly string[];
}

/**
 * The attributes of a Terraform resource, or of a block in it. They note each attribute that no reader took, so that attributes of a later
 * provider version are reported and never lost silently. Null, with which Terraform says that nothing is set, is undefined here.
 */
export class Attributes {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #notes: Notes;
  readonly #readNames = new Set<string>();
  readonly #inner: Attributes[] = [];

  /**
   * Wraps the attributes of a Terraform resource, or of a block in it, at `path`. `notes` are shared by the whole
   * resource.
   */
  private constructor(values: Readonly<Record<string, unknown>>, path: string, notes: Notes) {
    this.#values = values;
    this.#path = path;
    this.#notes = notes;
  }

  static of({ attributes, sensitive }: StateResource): Attributes {
    return new Attributes(attributes, '', { secrets: [], leftOut: [], sensitive });
  }

  /**
   * Returns the value of a Terraform attribute, and marks it as read. A value that Terraform marks as sensitive is
   * noted as a secret, and undefined is returned, so that no secret gets into the YAML.
   */
  take(name: string): unknown {
    this.#readNames.add(name);
    const value = this.#values[name] ?? undefined;
    if (value === undefined || !this.#isSensitive(name)) return value;
    this.#notes.secrets.push(this.#at(name));
    return undefined;
  }

  text(name: string): string | undefined {
    const value = this.take(name);
    return value === undefined ? undefined : String(value);
  }

  texts(name: string): string[] | undefined {
    const value = this.take(name);
    return Array.isArray(value) ? value.map(String) : undefined;
  }

  /**
   * Returns the value in a JSON text, or the text itself if it is no JSON. Returns undefined, after a note for the
   * user, if parsing would lose something, such as digits of a large number.
   */
  json(name: string): unknown {
    const text = this.take(name);
    if (typeof text !== 'string') return text;
    const { value, loss } = parseJsonOrText(text);
    if (loss === undefined) return value;
    this.leave(`\`${this.#at(name)}\` is left out: ${loss}`);
    return undefined;
  }

  /** Returns the attributes that are set, under the platform's names. `names`: the platform's name of each Terraform attribute. */
  renamed(names: Readonly<Record<string, string>>): Record<string, unknown> {
    const valuesByName = Object.entries(names).map(([from, to]) => [to, this.take(from)]);
    return Object.fromEntries(valuesByName.filter(([, value]) => value !== undefined));
  }

  /** Returns the attributes of a block. If the whole block is sensitive, only the members that are asked for are read. */
  inner(name: string): Attributes | undefined {
    return this.items(name)[0];
  }

  /** Returns the attributes of each block in a list or set of blocks, like `inner` for a single block. */
  items(name: string): Attributes[] {
    this.#readNames.add(name);
    const blocks = [this.#values[name] ?? []].flat().filter(isPlainObject) as Record<string, unknown>[];
    const attributes = blocks.map(
      (values, index) =>
        new Attributes(values, `${this.#at(name)}${blocks.length > 1 ? `.${index}` : ''}`, this.#notes),
    );
    this.#inner.push(...attributes);
    return attributes;
  }

  /**
   * Marks attributes as read that are not needed, because the platform computes them (ids, times), so that they are not reported as
   * missing.
   */
  skip(...names: string[]): void {
    for (const name of names) this.#readNames.add(name);
  }

  /** Notes that an attribute is a secret, if it is set, to list it for the user as `label`. The secret itself stays in the state. */
  secret(name: string, label = this.#at(name)): void {
    this.#readNames.add(name);
    if (isSet(this.#values[name])) this.#notes.secrets.push(label);
  }

  /** Notes a secret like `secret`, and returns it sealed. Used to compare it with other values; it is never written. */
  sealed(name: string, label?: string): Sealed | undefined {
    this.secret(name, label);
    const value = this.#values[name];
    return typeof value === 'string' && value !== '' ? new Sealed(value) : undefined;
  }

  /**
   * Notes the secrets that the platform shows only at the creation, and returns them, so that the export recognizes
   * variables with their values. `values`: for each attribute, the `value` of `$secretTo` that stands for it.
   */
  shown(values: Readonly<Record<string, string>>): ShownText[] {
    return Object.entries(values).flatMap(([name, value]) => {
      const text = this.sealed(name);
      return text ? [{ text, value }] : [];
    });
  }

  leave(sentence: string): void {
    this.#notes.leftOut.push(sentence);
  }

  /**
   * Returns the result of reading a Terraform resource: its objects, secrets and omissions. Called last, because
   * attributes that are unread by then are reported as omissions.
   */
  reading(objects: StateReading['objects']): StateReading {
    const { secrets, leftOut } = this.#notes;
    const untaken = this.#untaken().map((path) => `\`${path}\` cannot be declared here`);
    return { objects, secrets, omissions: [...leftOut, ...untaken] };
  }

  /** Returns the paths of attributes that are set but were not read, to report that they cannot be declared. */
  #untaken(): string[] {
    const unread = Object.keys(this.#values)
      .filter((name) => !this.#readNames.has(name) && isSet(this.#values[name]))
      .map((name) => this.#at(name));
    return [...unread, ...this.#inner.flatMap((attributes) => attributes.#untaken())];
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #isSensitive(name: string): boolean {
    const ownPath = this.#at(name);
    return this.#notes.sensitive.some((path) => path === ownPath || path.startsWith(`${ownPath}.`));
  }
}

/** True if a value of a Terraform state is not off or empty. A state contains every default, so other values do not count as set. */
const isSet = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isSet)
    : isPlainObject(value)
      ? Object.values(value).some(isSet)
      : value !== undefined && value !== null && value !== '' && value !== false;

/** Returns an object without the members that are undefined. */
export const present = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
