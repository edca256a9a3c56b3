export function saveFile(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
