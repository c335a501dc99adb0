/*
 * Records what a session observes while it plans: reads of the account, keyed digests, warnings, and the time.
 */
import type { Diagnostic } from '../model/diagnostic.ts';
import { type DigestKey, keyedDigest, type LedgerKey } from '../model/digest.ts';
import type { PlanJudge } from '../run/session.ts';
import { ReadRecording } from './record-reads.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { RecordedDigest, StackPart } from './snapshot.ts';

/** Everything that one session observes while it plans. */
export class SessionRecording {
  readonly reads = new ReadRecording();
  readonly digests = new DigestRecording();
  secretProblems: Diagnostic[] = [];
  /** Guards with the verdict about the plan. */
  judge: PlanJudge | undefined;
  #firstWarnings: Diagnostic[] = [];

  /** Notes the warnings about the place of the ledger, and why secrets were not available. */
  noteWarnings(ledgerWarnings: Diagnostic[], secretProblems: Diagnostic[]): void {
    this.#firstWarnings = ledgerWarnings;
    this.secretProblems = secretProblems;
  }

  /** Returns a clock whose time is the present one forever, so that the whole plan has one time. */
  stopClock<C extends { now(): number }>(clock: C): C {
    const time = clock.now();
    return { ...clock, now: () => time };
  }

  /** Returns guards that remember their verdict, so that their programs need not run again when the snapshot is checked. */
  recordJudge(judge: PlanJudge | undefined): PlanJudge | undefined {
    if (!judge) return undefined;
    const recordVerdict: PlanJudge['judge'] = async (...given) => {
      const verdict = await judge.judge(...given);
      this.judge = { ...judge, judge: async () => verdict };
      return verdict;
    };
    return { ...judge, judge: recordVerdict };
  }

  /** Returns the warnings about the ledger among those of a session: the noted ones, and those that begin with a code of a ledger. */
  ledgerWarningsIn(diagnostics: readonly Diagnostic[]): StackPart['ledgerWarnings'] {
    const last = diagnostics.filter(
      (diagnostic) => diagnostic.code.startsWith('ledger/') && !this.#firstWarnings.includes(diagnostic),
    );
    return { first: this.#firstWarnings, last };
  }
}

/** Records the keyed digests that are made with a ledger key while a session plans. */
export class DigestRecording {
  readonly #digests: RecordedDigest[] = [];

  /** Returns a ledger key that makes the same digests, and records each. */
  record(key: LedgerKey | undefined): LedgerKey | undefined {
    return key && (this.#watch(key) as LedgerKey);
  }

  #watch<K extends DigestKey & Partial<Pick<LedgerKey, 'previous' | 'legacyKey'>>>(key: K): K {
    const { legacyKey, previous } = key;
    return {
      ...key,
      ...(legacyKey && { legacyKey: this.#watch(legacyKey) }),
      ...(previous && { previous: this.#watch(previous) }),
      recordedDigests: {
        get: (salt: string, value: unknown, isUnordered: boolean) => {
          const digest = keyedDigest(key, salt, value);
          this.#digests.push({ key: key.id, salt, value, digest, unordered: isUnordered || undefined });
          return digest;
        },
      },
    };
  }

  /**
   * Returns the digests, with tokens instead of secrets. If a text is secret at one place and shown at another one, its digest is also kept for the
   * text itself, unless that would tell which ledger entry has it (`recorded`: the digests in the ledger).
   */
  finish(tokens: SecretTokens, recorded: ReadonlySet<string>): StackPart['digests'] {
    return this.#digests.flatMap((recordedDigest) => {
      const { value, digest } = recordedDigest;
      const replaced = { ...recordedDigest, value: tokens.replaceEach(value) };
      const isShown = typeof value === 'string' && tokens.isOpenSomewhere(value) && !recorded.has(digest);
      return isShown && value !== replaced.value ? [replaced, recordedDigest] : [replaced];
    });
  }
}
