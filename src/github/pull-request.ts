/** What an event of GitHub says about the pull request that it is about. */
export interface PullRequest {
  number: number;
  /** It comes from another repository: its runs get no secrets, and a token that only reads. */
  isFork: boolean;
}

/** The pull request of an event (the document at GITHUB_EVENT_PATH); undefined where it is about none. */
export function pullRequestOf(event: unknown): PullRequest | undefined {
  const pull = member(event, 'pull_request');
  const number = member(pull, 'number');
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) return undefined;
  const from = member(member(member(pull, 'head'), 'repo'), 'full_name');
  const to = member(member(member(pull, 'base'), 'repo'), 'full_name');
  // A fork that is gone has no repository any more.
  return { number, isFork: typeof to === 'string' && from !== to };
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
