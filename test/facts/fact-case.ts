import type { Seed, Twin, TwinOptions } from '../../providers/hosting/twin/index.ts';
import type { Reply, send } from '../twin/client.ts';

/** The teams of the account that all cases share: `acme`, and one whose policy makes variables sensitive. */
export const teams: Seed['teams'] = [
  { slug: 'acme' },
  { slug: 'guarded', sensitiveEnvironmentVariablePolicy: 'on' },
];

type Send = Parameters<typeof send>;

/** A request, and the answer that the fact promises. */
export interface FactStep {
  request: [method: Send[1], path: string, body?: unknown];
  status: number;
  /** Members that the answer has at least. */
  body?: unknown;
  /** The rule that a refusal names, if it is not the fact of the case; null for none. */
  rule?: string | null;
  /** Checks that a partial comparison cannot make, such as an absent member. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  check?(body: any): void;
}

/** A fact about the platform, as requests show it. */
export interface FactCase {
  /** The id in `providers/hosting/facts`, where its source stands. */
  fact: string;
  title: string;
  /** The projects and domains of the case, under names of its own. */
  seed?: Omit<Seed, 'user' | 'team' | 'teams'>;
  /** The options of a twin of its own, for cases about a switch, a role or a clock. */
  own?: TwinOptions;
  /** A function gets the answer to the request before. */
  steps: (FactStep | ((last: Reply, twin: Twin) => FactStep))[];
}
