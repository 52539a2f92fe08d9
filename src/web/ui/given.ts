type Given<Props> = { [Key in keyof Props]?: Exclude<Props[Key], undefined> }

/** Only the props that were given: the component library's types tell an absent prop from an undefined one. */
export const given = <Props extends object>(props: Props): Given<Props> =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as Given<Props>
