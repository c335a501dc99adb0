/*
 * Secrets that stand in clear in the configuration or the account, as findings point them out (`Finding.secrets`). A report that says so
 * must not publish them itself.
 */
import type { Finding, View } from '../kind/meaning.ts';
import type { Diagnostic, Position } from '../model/diagnostic.ts';
import { createSecretLineTest } from '../model/quoted-line.ts';
import type { Desired } from '../model/resource.ts';
import { StatedSecret } from '../model/sealed.ts';
import { atPath } from '../model/value.ts';
import { findPosition } from './find-position.ts';

/** What checks found in a view, and the configurations that the view is about. */
interface Findings {
  view: View;
  findings: readonly Finding[];
  configurations: readonly Desired[];
}

/** Secrets in clear, and what removes them from problems. */
export interface FoundSecrets {
  secrets: readonly StatedSecret[];
  /** Returns a problem without the lines of files that hold one of the secrets, so that no problem quotes it. */
  hideLines(diagnostic: Diagnostic): Diagnostic;
}

/**
 * Returns the secrets that findings point out, each text once, so that no report shows them: the platform does not treat their fields as
 * secret. Values that are sealed already are left out. `hideLines` removes the quoted lines with these secrets from a diagnostic.
 */
export function findSecrets(judged: readonly Findings[]): FoundSecrets {
  const texts = new Set<string>();
  const lines = new Set<string>();
  for (const { view, findings, configurations } of judged)
    for (const { address, path } of findings.flatMap((finding) => finding.secrets ?? [])) {
      const value = atPath(view.at(address)?.fields ?? {}, path);
      if (typeof value === 'string') texts.add(value);
      const position = findPosition(address, path, configurations);
      if (position) lines.add(lineKey(position));
    }
  const secrets = [...texts].map((text) => new StatedSecret(text));
  const showsSecret = createSecretLineTest(secrets);
  const hideIn = (at: Position): Position =>
    lines.has(lineKey(at)) || showsSecret(at.text ?? '')
      ? { file: at.file, line: at.line, column: at.column }
      : at;
  const hideLines = (diagnostic: Diagnostic): Diagnostic => {
    const { at, related, folded } = diagnostic;
    return {
      ...diagnostic,
      ...(at && { at: hideIn(at) }),
      ...(related && { related: related.map((place) => ({ ...place, at: hideIn(place.at) })) }),
      ...(folded && { folded: folded.map(hideLines) }),
    };
  };
  const hasSecrets = lines.size + texts.size > 0;
  return { secrets, hideLines: hasSecrets ? hideLines : (diagnostic) => diagnostic };
}

const lineKey = ({ file, line }: Position): string => `${file}\n${line}`;
