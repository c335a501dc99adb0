/*
 * Describes why planning failed for a bug report, without names and values of the account and without paths of the machine.
 */
import { isProgramError, problemsOf } from '../../model/describe-errors.ts';
import type { Pseudonyms } from '../../snapshot/anonymous/pseudonyms.ts';
import type { BugFailure } from '../bug-report.ts';

/**
 * Returns for a bug report why planning failed, without the texts of messages, because these may be private. For an error of the program
 * itself, also the places in the program.
 */
export function describeFailure(error: unknown, pseudonyms: Pseudonyms): BugFailure {
  const problems = problemsOf(error).map(({ severity, code, at }) => ({ severity, code, line: at?.line }));
  if (!isProgramError(error)) return { problems };
  const { name, message, stack = '' } = error as Error;
  return {
    problems,
    error: { name, message: anonymousMessage(message, pseudonyms), stack: ownFrames(stack) },
  };
}

/** The words of the messages of JavaScript itself, such as "Cannot read properties of undefined (reading 'x')". */
const messageWords = new Set(
  `cannot could not read reading set setting properties property of object undefined null is a an function iterable iterator value
  constructor entry to convert defined assign only create on use in operator search for call class invoked without new invalid
  array length time maximum stack size exceeded argument arguments must be type received`.split(/\s+/),
);

/**
 * Returns the message of an error of the program with pseudonyms for all its other words, because JavaScript puts values into messages,
 * often without quotes: "Iterator value shop is not an entry object". The stack says where in the program the error came from.
 */
const anonymousMessage = (message: string, pseudonyms: Pseudonyms): string =>
  message.replace(/[^\s'"`()]+/g, (word) =>
    messageWords.has(word.toLowerCase()) ? word : pseudonyms.rename(word),
  );

/**
 * Returns the lines of a stack trace that are in the program itself, with paths from its folder, so that a bug report has no path of the
 * user.
 */
export function ownFrames(stack: string, folder = folderOfProgram(new Error().stack ?? '')): string[] {
  return stack.split('\n').flatMap((line) => {
    const index = folder === undefined ? -1 : line.indexOf(folder);
    if (index < 0) return [];
    const [, caller = ''] = /^\s*at ([\w.$#<> ]+) \(/.exec(line) ?? [];
    return [`${caller} ${line.slice(index + folder!.length).replace(/\)$/, '')}`.trim()];
  });
}

/** Returns the path of the folder around the program's files, from a stack trace that begins in one of them. */
const folderOfProgram = (stack: string): string | undefined =>
  /(?:\(|at )(?:file:\/\/)?(\/.*?|[A-Z]:.*?)(?:src\/doctor\/command|dist)[\\/][^\\/]*$/m.exec(stack)?.[1];
