const maxPattern = 200;

/**
 * A pattern that a whole text must fit, or what is wrong with it. It comes from whoever wrote the YAML, and no text may keep it busy for
 * long: no references back, nothing that looks around, and nothing repeated in a group that is repeated.
 */
export function safePattern(source: string): RegExp | { wrong: string } {
  if (source.length > maxPattern) return { wrong: `a pattern can have at most ${maxPattern} characters` };
  if (/\\[1-9k]/.test(source)) return { wrong: 'backreferences (`\\1`) are not supported' };
  if (/\(\?(?!:)/.test(source))
    return { wrong: 'only `( )` and `(?: )` groups are supported, no lookaround' };
  if (repeatsRepeated(source)) return { wrong: 'a repeated group cannot contain repetition or `|`' };
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    return { wrong: 'this is not a regular expression' };
  }
}

/** True if a group with a repetition or an alternative in it is repeated itself. */
function repeatsRepeated(source: string): boolean {
  const open: boolean[] = [];
  let inClass = false;
  for (let i = 0; i < source.length; i++) {
    const sign = source[i]!;
    const next = source[i + 1];
    if (sign === '\\') i++;
    else if (inClass) inClass = sign !== ']';
    else if (sign === '[') inClass = true;
    else if (sign === '(') open.push(false);
    else if (sign === ')') {
      const isBusy = open.pop() ?? false;
      const isRepeated = next === '*' || next === '+' || next === '{';
      if (isBusy && isRepeated) return true;
      if ((isBusy || isRepeated) && open.length > 0) open[open.length - 1] = true;
    } else if ('*+{|'.includes(sign) || (sign === '?' && source[i - 1] !== '(')) {
      if (open.length > 0) open[open.length - 1] = true;
    }
  }
  return false;
}
