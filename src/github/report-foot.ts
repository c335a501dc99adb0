const shortest = 7;

/** Where a report comes from, as its last line: the commit that was planned and the run that did it. Empty where GitHub does not tell. */
export function reportFoot(
  env: Record<string, string | undefined>,
  /** The commit of the pull request; the one of the run is its merge, which nobody knows by its name. */
  head: string | undefined = env.GITHUB_SHA,
): string {
  const { GITHUB_RUN_ID: id = '', GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = env;
  const isLink =
    /^\d+$/.test(id) && /^https?:\/\/[\w.:-]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  if (!isLink || !/^[0-9a-f]{40,64}$/.test(head ?? '')) return '';
  return `Plan of \`${head!.slice(0, shortest)}\`, [run](${server}/${repository}/actions/runs/${id})`;
}

/** A comment without that line: the same plan of a later commit is the same plan. */
export const withoutFoot = (body: string): string =>
  body.replace(/\n\nPlan of `[0-9a-f]{7}`, \[run\]\(\S+\)\s*$/, '').trimEnd();
