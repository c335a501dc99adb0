import type { ReadBlock } from '../config/blocks/block.ts';
import type { Kind } from '../kind/kind.ts';
import type { Change } from '../model/change.ts';
import { atPath, namesIn } from '../model/value.ts';
import { type AcceptedField, foundWords, isUnordered, schemaAt, wantedWords } from './accepted.ts';
import { Findings, type Given, type Selection, type TakenOver } from './findings.ts';
import { takeRow } from './take-row.ts';
import { refusedSets, takeSet } from './take-set.ts';

/** Turns selected changes outside into new texts of the configuration's blocks. Pure. */
export function takenOver(given: Given, selection: Selection): TakenOver {
  return new Taking(new Findings(given, selection)).all();
}

class Taking {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  all(): TakenOver {
    const { changes } = this.#findings.given.plan;
    const chosen = changes.filter(({ address }) => this.#findings.selection.isChosen(address));
    for (const change of chosen) this.#unreadable(change);
    const drifted = chosen.filter(
      (change) => this.#findings.isGone(change) || this.#findings.fieldsOf(change).length > 0,
    );
    for (const { kind, change } of refusedSets(this.#findings)) takeSet(this.#findings, kind, change);
    const done = new Set<ReadBlock>();
    for (const change of drifted) {
      const kind = this.#findings.given.kinds.get(change.kind)!;
      const blocks = this.#findings.blocksOf.get(change.address) ?? [];
      if (kind.shape.merged) takeSet(this.#findings, kind, change);
      else
        for (const block of blocks) {
          if (done.has(block)) continue;
          done.add(block);
          const own = drifted.filter(({ address }) => block.units.some((unit) => unit.address === address));
          if (kind.shape.rowOf) takeRow(this.#findings, kind, block, own);
          else if (this.#findings.isGone(change)) this.#gone(change, block);
          else this.#object(kind, change, block);
        }
    }
    return this.#findings.result;
  }

  #unreadable({ address, touched }: Change): void {
    if (touched)
      this.#findings.left(
        address,
        'its secret may have changed outside and cannot be read back: set it here and send it with --send-unverified',
      );
  }

  #gone({ address }: Change, block: ReadBlock): void {
    const inside = this.#findings.given.plan.changes.find(
      (other) =>
        other.address.startsWith(`${address}/`) &&
        other.after !== undefined &&
        !(this.#findings.isGone(other) && this.#findings.selection.isChosen(other.address)),
    );
    if (inside) {
      this.#findings.left(address, `it no longer exists, but ${inside.address} is still declared in it`);
      return;
    }
    this.#findings.result.accepted.push({ type: 'gone', addresses: [address], block });
    this.#findings.note(address, '');
  }

  #object(kind: Kind, change: Change, block: ReadBlock): void {
    const paths = this.#findings.fieldsOf(change).map(({ path }) => whereFound(path, change));
    const all = [...new Set(paths)].flatMap((path) => this.#field(kind, change, path) ?? []);
    const fields = all.filter((field) => !this.#isName(kind, change, block, field));
    if (fields.length === 0) return;
    this.#findings.result.accepted.push({ type: 'fields', addresses: [change.address], block, fields });
    for (const { path } of fields) this.#findings.note(change.address, path.join('.'));
  }

  /** True for the name of an object that was renamed outside: that is more than a field. */
  #isName(kind: Kind, { address, before }: Change, block: ReadBlock, field: AcceptedField): boolean {
    const to = before?.renamedTo;
    const path = field.path.join('.');
    if (to === undefined || !kind.key.includes(path)) return false;
    this.#findings.result.accepted.push({ type: 'renamed', block, field, from: address, to });
    this.#findings.note(address, path);
    return true;
  }

  #field(kind: Kind, change: Change, path: string): AcceptedField | undefined {
    const found = this.#findings.value(kind, change, path);
    if (!found) return undefined;
    const schema = schemaAt(kind.fields, path);
    const words = foundWords(path, schema, found.value);
    if ('problem' in words) {
      this.#findings.left(change.address, words.problem);
      return undefined;
    }
    const before = wantedWords(schema, atPath(change.after!.fields, path));
    return { path: namesIn(path), before, after: words.words, isUnordered: isUnordered(schema) };
  }
}

/** The path of a leaf, or of what it is in where nothing of that is there. */
function whereFound(path: string, { before }: Change): string {
  const names = path.split(/(?<!\\)\./);
  const isThere = (length: number) => atPath(before?.fields ?? {}, names.slice(0, length).join('.')) != null;
  let { length } = names;
  while (length > 1 && !isThere(length) && !isThere(length - 1)) length--;
  return names.slice(0, length).join('.');
}
