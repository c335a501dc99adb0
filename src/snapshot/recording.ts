/*
 * Records what a session observes while it plans: reads of the account, keyed digests, warnings, and the time.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type DigestKey, keyedDigest, type LedgerKey } from '../model/digest.ts';
import type { Masking } from '../model/masking.ts';
import { revealed } from '../model/sealed.ts';
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
  /** The stretches of texts from outside that the plan shows as `(secret)`: they are parts of secrets. */
  readonly hiddenStretches = new Set<string>();
  #firstWarnings: Diagnostic[] = [];

  /**
   * Keeps the warnings about the place of the ledger, and why secrets were not available, because a plan from the snapshot repeats them.
   */
  noteWarnings(ledgerWarnings: Diagnostic[], secretProblems: Diagnostic[]): void {
    this.#firstWarnings = ledgerWarnings;
    this.secretProblems = secretProblems;
  }

  /** Returns a clock that always shows the present time, so that the whole plan, and each plan from the snapshot, has one time. */
  stopClock<C extends { now(): number }>(clock: C): C {
    const time = clock.now();
    return { ...clock, now: () => time };
  }

  /**
   * Returns a masking (it hides parts of secrets in texts from outside, such as answers of the platform) that also remembers the stretches
   * of text that it hides. The snapshot contains the same answers, so these stretches are replaced by tokens in it, too: otherwise it would
   * show what the plan hides.
   */
  recordMasking(masking: Masking): Masking {
    return {
      ...masking,
      mask: (text, alsoVisible) => {
        for (const stretch of masking.listHidden(text, alsoVisible)) this.hiddenStretches.add(stretch);
        return masking.mask(text, alsoVisible);
      },
    };
  }

  /**
   * Returns guards (programs that allow or refuse a plan) that remember their verdict: `this.judge` then repeats it, so that the programs
   * need not run again when the snapshot is checked.
   */
  recordJudge(judge: PlanJudge | undefined): PlanJudge | undefined {
    if (!judge) return undefined;
    const recordVerdict: PlanJudge['judge'] = async (...given) => {
      const verdict = await judge.judge(...given);
      this.judge = { ...judge, judge: async () => verdict };
      return verdict;
    };
    return { ...judge, judge: recordVerdict };
  }

  /**
   * Returns the warnings about the ledger among those of a session, so that a plan from the snapshot repeats them: `first` those that were
   * noted when the session opened, `last` all others whose code begins with `ledger/`. They are apart because other problems of the session
   * stand between them.
   */
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

  /**
   * Returns a ledger key that makes the same keyed digests, and records each with the value that it was made of, because a plan from the
   * snapshot has no key and looks them up. Does the same for the earlier keys in it.
   */
  #watch<K extends DigestKey & Partial<Pick<LedgerKey, 'previous' | 'legacyKey'>>>(key: K): K {
    const { legacyKey, previous } = key;
    return {
      ...key,
      ...(legacyKey && { legacyKey: this.#watch(legacyKey) }),
      ...(previous && { previous: this.#watch(previous) }),
      // `keyedDigest` asks here before it computes a digest with the returned key. `key` itself has no such table, so it computes.
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
   * Returns the recorded keyed digests for a snapshot, each with the value that it was made of: a plan from the snapshot has no key, and
   * looks digests up by value. It may have the same value in two forms: from an answer, with tokens for all texts that are secret anywhere,
   * and from the configuration, with tokens for sealed texts only. A text in clear beside a digest tells which ledger entry has this text.
   * So it is kept only if the plan shows it in that field anyway (`isShownAtDigest`) or, for a digest that is not among the words of the
   * ledgers, at any place.
   */
  finish(
    tokens: SecretTokens,
    wordsOfLedgers: ReadonlySet<string>,
    isShownAtDigest: (text: string, digest: string) => boolean,
  ): StackPart['digests'] {
    return this.#digests.flatMap((recordedDigest) => {
      const { value, digest } = recordedDigest;
      const openValue = revealed(value);
      const isText = typeof openValue === 'string';
      const asInAnswers = tokens.replaceEach(openValue);
      const asDeclared = isText ? openValue : tokens.replaceSealed(value);
      const mayShowText = (text: string) =>
        wordsOfLedgers.has(digest) ? isShownAtDigest(text, digest) : tokens.isShownSomewhere(text);
      const mayShowDeclared = !isText || mayShowText(openValue);
      const hasTwoForms = mayShowDeclared && !isDeepStrictEqual(asInAnswers, asDeclared);
      const forms = hasTwoForms ? [asInAnswers, asDeclared] : [asInAnswers];
      return forms.map((form) => ({ ...recordedDigest, value: form }));
    });
  }
}
