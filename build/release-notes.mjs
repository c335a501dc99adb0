/**
 * Returns the section of a changelog about a version, without its heading. A version that has no section yet is the one under `Unreleased`.
 * Used by the release script as release notes. Throws if there is neither.
 */
export function releaseNotes(changelog, version) {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [heading, ...lines] = section.split('\n');
        return [heading.trim(), `${lines.join('\n').trim()}\n`];
      }),
  );
  const notes = sections.get(version) ?? sections.get('Unreleased');
  if (notes === undefined)
    throw new Error(`CHANGELOG.md has no section ${version} and no section Unreleased`);
  return notes;
}
