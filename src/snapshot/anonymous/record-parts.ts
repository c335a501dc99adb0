/*
 * The parts of an anonymous snapshot: what stacks were planned from and their configuration, with pseudonyms for all texts.
 */
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { makePart } from '../make-part.ts';
import type { SessionRecording } from '../recording.ts';
import type { StackPart } from '../snapshot.ts';
import { anonymizePart } from './anonymize.ts';
import { type DecidingOption, decidingOptions } from './deciding-options.ts';
import { embedConfiguration } from './embedded.ts';
import { type ComparedPlan, findPlainDigests } from './find-plain-digests.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { collectPlatformWords } from './words.ts';

/** The options of a command that plans. */
type DecidingOptions = Partial<Record<DecidingOption, unknown>>;

/** The parts of one anonymous snapshot. They share their pseudonyms, so that stacks which refer to each other still do. */
interface AnonymousParts {
  pseudonyms: Pseudonyms;
  /**
   * Makes the part of a stack after it was planned, under a pseudonym of its id. `waitsFor`: the ids of the stacks that are planned before
   * it.
   */
  makeNamedPart(
    stack: { id: string; waitsFor: readonly string[] },
    session: Parameters<typeof makePart>[0] & Parameters<typeof embedConfiguration>[0],
    planned: ComparedPlan,
    recording: SessionRecording,
  ): Promise<Record<string, StackPart>>;
}

/**
 * Prepares the anonymous parts of a snapshot, for `plan --snapshot --anonymous` and bug reports: finds the words of the platform, which
 * stay, and returns a function that makes the part of a stack with pseudonyms for all other names and values. `options`: those of the
 * command that plans.
 */
export async function prepareAnonymousParts(
  provider: Provider,
  options: DecidingOptions,
): Promise<AnonymousParts> {
  const pseudonyms = new Pseudonyms(await collectPlatformWords(provider));
  const kinds = kindsOf(provider.kinds);
  const deciding = Object.fromEntries(decidingOptions.map((name) => [name, options[name]]));
  return {
    pseudonyms,
    async makeNamedPart({ id, waitsFor }, session, planned, recording) {
      pseudonyms.hidePort(session.ledger.baseUrl);
      const stackPart = await makePart(session, planned, recording, (tokenOf) =>
        embedConfiguration(session, planned.live, { options: deciding, waitsFor }, tokenOf),
      );
      // The ledgers have digests of values, which have to become digests of the pseudonyms.
      const ledgers = [session.ledger, ...(await session.otherStacks.readAll())];
      const plainDigests = findPlainDigests(ledgers, planned, kinds);
      return { [pseudonyms.rename(id)]: anonymizePart(stackPart, pseudonyms, kinds, plainDigests) };
    },
  };
}
