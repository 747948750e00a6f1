//! Which columns of a questionnaire are about how it was answered.

/// Which columns of an answer to a questionnaire of Qualtrics are about how it was given.
pub(crate) fn about_answers(names: &[String]) -> Vec<usize> {
    const ABOUT: [&str; 8] = [
        "status",
        "progress",
        "duration (in seconds)",
        "finished",
        "locationlatitude",
        "locationlongitude",
        "q_totalduration",
        "q_recaptchascore",
    ];
    let lower: Vec<String> = names.iter().map(|name| name.trim().to_lowercase()).collect();
    let is_qualtrics = ["startdate", "enddate", "progress"].iter().all(|name| lower.iter().any(|n| n == name));
    (0..names.len()).filter(|&k| is_qualtrics && ABOUT.contains(&lower[k].as_str())).collect()
}
