/** The pull request of a GitHub event. */
export interface PullRequest {
  number: number;
  /** The commit that somebody pushed; the one that a workflow checks out is its merge, which nobody knows. */
  head?: string;
  /** Why its runs get no secrets, and a token that only reads; not there where they get them. */
  withoutSecrets?: 'fork' | 'dependabot';
}

/** The pull request of an event (the document at GITHUB_EVENT_PATH); undefined where it is about none. */
export function pullRequestOf(event: unknown): PullRequest | undefined {
  const pull = member(event, 'pull_request');
  const number = member(pull, 'number');
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) return undefined;
  const from = member(member(member(pull, 'head'), 'repo'), 'full_name');
  const to = member(member(member(pull, 'base'), 'repo'), 'full_name');
  const head = member(member(pull, 'head'), 'sha');
  // A fork that is gone has no repository any more.
  const isFork = typeof to === 'string' && from !== to;
  // Whose push it is decides, not whose pull request.
  const isDependabots = member(member(event, 'sender'), 'login') === 'dependabot[bot]';
  return {
    number,
    ...(typeof head === 'string' ? { head } : {}),
    ...(isFork ? { withoutSecrets: 'fork' } : isDependabots ? { withoutSecrets: 'dependabot' } : {}),
  };
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
