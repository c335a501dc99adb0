import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander';

/**
 * Makes an empty word on the command line a mistake of whoever wrote it, for every option and argument of a command and of those in
 * it: `--target "$UNSET"` is never meant.
 */
export function refuseEmpty(command: Command): void {
  for (const option of command.options) refuseIn(option);
  for (const argument of command.registeredArguments) refuseIn(argument);
  for (const inner of command.commands) refuseEmpty(inner);
}

function refuseIn(place: Option | Argument): void {
  const { parseArg, variadic } = place;
  place.argParser((value: string, before: unknown) => {
    if (value === '') throw new InvalidArgumentError('It is empty.');
    if (parseArg) return parseArg(value, before);
    return variadic ? [...((before as string[] | undefined) ?? []), value] : value;
  });
}
