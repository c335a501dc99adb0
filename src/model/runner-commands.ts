/*
 * Text in a log that the program behind the log obeys.
 *
 *   | System                           | Obeys                                                                     |
 *   | -------------------------------- | ------------------------------------------------------------------------- |
 *   | GitHub Actions, Gitea, Forgejo   | `::command` at the beginning of a line, `##[command]` anywhere            |
 *   | Azure Pipelines                  | `##vso[command]` and `##[command]` anywhere                               |
 *   | TeamCity                         | `##teamcity[command]` anywhere                                            |
 *   | Buildkite                        | `--- `, `+++ `, `~~~ `, `^^^ ` at the beginning of a line: groups of lines |
 *   | GitLab, Travis                   | markers with a carriage return and an escape character                    |
 *   | Buildkite, Jenkins               | escape sequences                                                          |
 *
 * `visible` in `src/report/text.ts` already shows the characters of the last two rows as escapes.
 */

const anywhere = /##(?=\w*\[)/g;
const atLineStart = /^([^\S\n]*)::/gm;
/** The markers of groups of lines in Buildkite. */
const groupMarkers = /^(?=(?:---|\+\+\+|~~~|\^\^\^)[^\S\n]+\S)/gm;

/**
 * True if a text may contain a command. Writers of YAML put such a text in double quotes, so that its escapes are part
 * of the language.
 */
export const hasRunnerCommand = (text: string): boolean =>
  text.search(anywhere) >= 0 || text.search(atLineStart) >= 0;

/**
 * Returns a text in which no system finds a command that stands anywhere in a line. Readers of JSON, and of YAML that
 * is written for it, still read the same text.
 */
export const withoutInlineCommands = (text: string): string => text.replace(anywhere, '\\u0023#');

/**
 * Like `withoutInlineCommands`, but also escapes commands at the beginning of a line. With `isInCi`, markers of groups
 * get a blank in front. Elsewhere they stay, because they are common in other output, such as the header of a diff.
 */
export function withoutCommands(text: string, isInCi: boolean): string {
  const harmless = withoutInlineCommands(text).replace(atLineStart, '$1\\u003a:');
  return isInCi ? harmless.replace(groupMarkers, ' ') : harmless;
}
