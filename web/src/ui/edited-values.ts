/**
 * The edited values of a form: the others may have changed in another tab since they were loaded.
 * @param dirtyFields of the form's state
 */
export const editedValues = <Values extends object>(values: Values, dirtyFields: object): Partial<Values> => {
  const edited = { ...values }
  for (const name in edited) if (!(name in dirtyFields)) delete edited[name]
  return edited
}
